/* The chip itself: why it started, the watchdog, a start from the beginning. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Bits of MCUSR (1 power, 2 reset pin, 4 brown-out, 8 watchdog), 16: this firmware's own watchdog, 32: asked for. */
uint8_t board_reset_cause(void);
void watchdog_start(void);
void board_reset(void) __attribute__((noreturn));

#endif
