/* Frames of the serial line (protocol.md). Portable: the tests run it on the host as well. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#include "protocol.h"

typedef struct {
    uint8_t state, length, digits;
    uint16_t sum;
    char body[MAX_BODY + 1];
    uint16_t wrong_sum, outside, too_long; /* what was dropped */
} frame_reader;

uint16_t crc16(uint16_t crc, uint8_t byte);

/* One byte in. 1: a whole frame is in body (length bytes, then a NUL), valid until the next call. */
uint8_t frame_feed(frame_reader *reader, uint8_t byte);

/* The value of an upper-case hex digit, or -1. */
int8_t hex_value(char digit);

#endif
