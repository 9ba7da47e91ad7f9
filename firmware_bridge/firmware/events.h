/* Events for the host: kept in a ring and sent again until it acknowledges them. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdint.h>

#include "protocol.h"

#define EVENT_TEXT 20

/* Before anything is raised. */
void events_start(void);

/* A new event; the oldest one that waits gives way where all places are taken. */
void event_raise(char type, const char *text);
void event_acknowledge(uint8_t sequence);
/* Sends what is due. */
void events_tick(uint32_t now);
uint8_t events_waiting(void);
uint16_t events_lost(void);

/* Text for an event: numbers and single characters with commas between, NUL-terminated. */
typedef struct {
    char text[EVENT_TEXT];
    uint8_t length;
} event_text;
void text_char(event_text *text, char c);
void text_number(event_text *text, uint32_t value);

#endif
