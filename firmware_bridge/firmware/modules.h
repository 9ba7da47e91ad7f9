/* Dice modules on I2C: SDA on A4, SCL on A5, 2.2 to 10 kilohm to 5 V each (protocol.md says what they answer). */
#ifndef MODULES_H
#define MODULES_H

#include <stdint.h>

void modules_start(void);
/* Once a millisecond: one step on the bus, so that nothing ever waits for it. */
void modules_tick(uint32_t now);

#endif
