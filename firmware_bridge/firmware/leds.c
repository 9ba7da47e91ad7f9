#include "leds.h"

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <string.h>
#include <util/atomic.h>

#include "frame.h"
#include "protocol.h"
#include "settings.h"

#define PIN PD6

static const uint8_t palette[16][3] PROGMEM = {PALETTE_RGB};
static char shown[N_LIGHTS];
static uint8_t grb[N_LIGHTS * 3];

/* The strip's signal: 20 cycles a bit (1.25 us), high for 5 of them (0.31 us) for a 0, for 11 (0.69 us) for a 1. No
   interrupt may fall between: 0.84 ms for all lights. */
static void send(void) {
    const uint8_t *next = grb;
    uint16_t left = sizeof grb;
    uint8_t high = PORTD | _BV(PIN), low = PORTD & (uint8_t)~_BV(PIN), byte, bit;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        __asm__ volatile(
            "1: ld %[byte], %a[next]+ \n"
            "   ldi %[bit], 8 \n"
            "2: out %[port], %[high] \n"
            "   nop \n nop \n nop \n"
            "   sbrs %[byte], 7 \n"
            "   out %[port], %[low] \n"
            "   lsl %[byte] \n"
            "   nop \n nop \n nop \n nop \n"
            "   out %[port], %[low] \n"
            "   nop \n nop \n nop \n"
            "   dec %[bit] \n"
            "   brne 2b \n"
            "   sbiw %[left], 1 \n"
            "   brne 1b \n"
            : [next] "+e"(next), [left] "+w"(left), [byte] "=&r"(byte), [bit] "=&d"(bit)
            : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low)
            : "memory");
    }
}

uint16_t leds_current(void) {
    uint32_t sum = 0;
    for (uint8_t i = 0; i < sizeof grb; i++) sum += grb[i];
    return (uint16_t)(sum * MA_CHANNEL / 255) + N_LIGHTS * MA_IDLE;
}

static void refresh(void) {
    static const uint8_t order[3] = {1, 0, 2}; /* the strip wants green, red, blue */
    for (uint8_t i = 0; i < N_LIGHTS; i++)
        for (uint8_t k = 0; k < 3; k++)
            grb[3 * i + k] = (uint8_t)(pgm_read_byte(&palette[(uint8_t)hex_value(shown[i])][order[k]]) *
                                       (uint16_t)board_settings.brightness / N_BRIGHTNESS);
    uint16_t drawn = leds_current() - N_LIGHTS * MA_IDLE, allowed = MA_LIMIT - N_LIGHTS * MA_IDLE;
    if (drawn > allowed)
        for (uint8_t i = 0; i < sizeof grb; i++) grb[i] = (uint8_t)((uint32_t)grb[i] * allowed / drawn);
    send();
}

void leds_start(void) {
    DDRD |= _BV(PIN);
    leds_dark();
}

uint8_t leds_show(const char *digits) {
    for (uint8_t i = 0; i < N_LIGHTS; i++)
        if (hex_value(digits[i]) < 0) return 0;
    memcpy(shown, digits, N_LIGHTS);
    refresh();
    return 1;
}

void leds_dark(void) {
    memset(shown, '0', N_LIGHTS);
    refresh();
}

void leds_refresh(void) { refresh(); }

char leds_digit(uint8_t light) { return shown[light]; }
