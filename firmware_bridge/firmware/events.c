#include "events.h"

#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "frame.h"
#include "link.h"

typedef struct {
    char type; /* 0: free */
    uint8_t sequence;
    uint32_t due;
    char text[EVENT_TEXT];
} event;

/* Not cleared by a start: what was raised before a reset is still told after it, unless the power was gone. */
static struct {
    event ring[N_RING];
    uint8_t next_sequence;
    uint16_t sum;
} kept __attribute__((section(".noinit")));

#define ring kept.ring
static uint16_t lost;

static uint16_t sum_of(void) {
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < offsetof(typeof(kept), sum); i++) crc = crc16(crc, ((const uint8_t *)&kept)[i]);
    return crc;
}

void events_start(void) {
    if (kept.sum != sum_of()) memset(&kept, 0, sizeof kept);
    for (uint8_t i = 0; i < N_RING; i++) ring[i].due = 0;
    kept.sum = sum_of();
}

void event_raise(char type, const char *text) {
    event *place = &ring[0];
    for (uint8_t i = 0; i < N_RING; i++) {
        if (!ring[i].type) {
            place = &ring[i];
            break;
        }
        if ((int8_t)(ring[i].sequence - place->sequence) < 0) place = &ring[i];
    }
    if (place->type) lost++;
    place->type = type;
    place->sequence = kept.next_sequence++;
    place->due = clock_ms();
    strncpy(place->text, text, EVENT_TEXT - 1);
    place->text[EVENT_TEXT - 1] = 0;
    kept.sum = sum_of();
}

void event_acknowledge(uint8_t sequence) {
    for (uint8_t i = 0; i < N_RING; i++)
        if (ring[i].sequence == sequence) ring[i].type = 0;
    kept.sum = sum_of();
}

void events_tick(uint32_t now) {
    /* in the order in which they were raised, those that are due */
    for (uint8_t n = 0; n < N_RING; n++) {
        event *first = 0;
        for (uint8_t i = 0; i < N_RING; i++)
            if (ring[i].type && (int32_t)(now - ring[i].due) >= 0 &&
                (!first || (int8_t)(ring[i].sequence - first->sequence) < 0))
                first = &ring[i];
        if (!first) return;
        frame_begin(first->sequence, first->type);
        frame_text(first->text);
        frame_end();
        first->due = now + MS_RESEND;
        kept.sum = sum_of();
    }
}

uint8_t events_waiting(void) {
    uint8_t waiting = 0;
    for (uint8_t i = 0; i < N_RING; i++) waiting += ring[i].type != 0;
    return waiting;
}

uint16_t events_lost(void) { return lost; }

void text_char(event_text *text, char c) {
    if (text->length < EVENT_TEXT - 1) text->text[text->length++] = c;
    text->text[text->length] = 0;
}

void text_number(event_text *text, uint32_t value) {
    char digits[10];
    uint8_t n = 0;
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n) text_char(text, digits[--n]);
}
