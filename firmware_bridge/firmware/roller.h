/* The roller: two dice thrown by a button or by the host. Its chance is the moment of a press, to a sixteenth of a
   microsecond, the bounces of its contact, and the noise of an open ADC input. */
#ifndef ROLLER_H
#define ROLLER_H

#include <stdint.h>

#define NOBODY 0xFF

void roller_start(void);
/* One sample of noise into the pool. */
void roller_stir(void);
/* Which button's next press rolls; NOBODY: none. */
void roller_arm(uint8_t button);
uint8_t roller_armed(void);
void roller_button(uint8_t button, uint32_t now);
void roller_roll(uint32_t now);
void roller_tick(uint32_t now);
/* Of any die, for the host. */
void die_tell(uint8_t die, char state, uint8_t face, uint8_t quality, uint32_t now);

#endif
