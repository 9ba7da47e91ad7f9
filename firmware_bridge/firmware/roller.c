#include "roller.h"

#include <avr/io.h>

#include "chance.h"
#include "events.h"

static chance pool = {.pool = 1};
static uint8_t armed = NOBODY, rolling;
static uint32_t since;

void roller_start(void) {
    TCCR1B = _BV(CS10); /* timer 1 counts every cycle */
    ADMUX = _BV(REFS1) | _BV(REFS0) | 0; /* the 1.1 V reference, pin A0: left open, it picks up noise */
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADATE) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
}

void roller_stir(void) {
    chance_stir(&pool, TCNT1);
    chance_stir(&pool, ADC);
}

void roller_arm(uint8_t button) { armed = button; }

uint8_t roller_armed(void) { return armed; }

void roller_button(uint8_t button, uint32_t now) {
    if (button != armed) return;
    armed = NOBODY;
    roller_roll(now);
}

void die_tell(uint8_t die, char state, uint8_t face, uint8_t quality, uint32_t now) {
    event_text text = {.length = 0};
    text_number(&text, die);
    text_char(&text, ',');
    text_char(&text, state);
    text_char(&text, ',');
    text_number(&text, face);
    text_char(&text, ',');
    text_number(&text, quality);
    text_char(&text, ',');
    text_number(&text, now);
    event_raise('d', text.text);
}

void roller_roll(uint32_t now) {
    if (rolling) return;
    rolling = 1;
    since = now;
    roller_stir();
    die_tell(0, 'R', 0, 9, now);
    die_tell(1, 'R', 0, 9, now);
}

void roller_tick(uint32_t now) {
    roller_stir();
    if (!rolling || now - since < MS_ROLL) return;
    rolling = 0;
    for (uint8_t die = 0; die < 2; die++) die_tell(die, 'S', chance_face(&pool), 9, now);
}
