#include "buttons.h"

#include <avr/io.h>

#include "events.h"
#include "roller.h"

typedef struct {
    uint8_t pressed, quiet, told_long;
    uint32_t since;
} button;

static button all[N_BUTTONS];

/* Which were pressed, and its complement: a reset is no new press. */
static uint8_t before[2] __attribute__((section(".noinit")));

void buttons_start(void) {
    PORTD |= _BV(PD2) | _BV(PD3);
    if ((before[0] ^ before[1]) == 0xFF)
        for (uint8_t i = 0; i < N_BUTTONS; i++) all[i].pressed = all[i].told_long = before[0] >> i & 1;
}

static void tell(uint8_t which, char state, uint32_t now) {
    event_text text = {.length = 0};
    text_number(&text, which);
    text_char(&text, ',');
    text_char(&text, state);
    text_char(&text, ',');
    text_number(&text, now);
    event_raise('b', text.text);
}

void buttons_tick(uint32_t now) {
    for (uint8_t i = 0; i < N_BUTTONS; i++) {
        button *b = &all[i];
        uint8_t down = !(PIND & _BV(PD2 + i));
        if (down == b->pressed) {
            b->quiet = 0;
            if (down && !b->told_long && now - b->since >= MS_LONG_PRESS) {
                b->told_long = 1;
                tell(i, '2', now);
            }
            continue;
        }
        roller_stir(); /* a bouncing contact is a good source of chance */
        if (++b->quiet < MS_DEBOUNCE) continue;
        b->pressed = down;
        b->quiet = b->told_long = 0;
        b->since = now;
        tell(i, (char)('0' + down), now);
        before[0] = buttons_pressed();
        before[1] = (uint8_t)~before[0];
        if (down) roller_button(i, now);
    }
}

uint8_t buttons_pressed(void) {
    uint8_t bits = 0;
    for (uint8_t i = 0; i < N_BUTTONS; i++) bits |= (uint8_t)(all[i].pressed << i);
    return bits;
}
