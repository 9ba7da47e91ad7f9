/* 28 WS2812 on pin D6: palette, brightness, and a limit to what they draw. */
#ifndef LEDS_H
#define LEDS_H

#include <stdint.h>

void leds_start(void);
/* N_LIGHTS palette digits. 0, and nothing is changed, where one of them is none. */
uint8_t leds_show(const char *digits);
void leds_dark(void);
/* With a new brightness. */
void leds_refresh(void);
char leds_digit(uint8_t light);
/* Milliamperes that the strip draws now, as estimated. */
uint16_t leds_current(void);

#endif
