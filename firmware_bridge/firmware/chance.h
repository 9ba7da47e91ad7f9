/* Chance for the roller: a pool that noise is stirred into, and faces drawn from it. Portable: the tests run it natively.

   The pool is mixed by the steps of xorshift32 and a multiplication, so that one noisy bit in a sample changes half of the
   pool. A face takes three bits that the pool gives up and is thrown away for 6 and 7, so that all six are equally likely
   if the bits are. */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

typedef struct {
    uint32_t pool, bits;
    uint8_t left;
} chance;

static inline void chance_stir(chance *c, uint16_t sample) {
    uint32_t x = c->pool ^ (sample + 0x9E3779B9UL);
    x *= 0x85EBCA6BUL;
    x ^= x >> 13;
    x *= 0xC2B2AE35UL;
    x ^= x >> 16;
    c->pool = x ? x : 1;
}

static inline uint8_t chance_face(chance *c) {
    for (;;) {
        if (c->left < 3) {
            uint32_t x = c->pool;
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            c->pool = x;
            c->bits = x * 0x9E3779B1UL; /* what is given away does not show the pool itself */
            c->left = 30;
        }
        uint8_t three = (uint8_t)(c->bits >> 29);
        c->bits <<= 3;
        c->left -= 3;
        if (three < 6) return three + 1;
    }
}

#endif
