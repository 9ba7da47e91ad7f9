/* Two buttons to ground on pins D2 and D3. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

void buttons_start(void);
/* Once a millisecond. */
void buttons_tick(uint32_t now);
/* Bits of those that are pressed. */
uint8_t buttons_pressed(void);

#endif
