/* The serial line: bytes by interrupt, frames out, piece by piece. */
#ifndef LINK_H
#define LINK_H

#include <avr/pgmspace.h>
#include <stdint.h>

void link_start(void);

/* The next received byte, or -1. */
int16_t link_read(void);
uint16_t link_lost(void);

/* A frame: begin, any number of pieces, end. What does not fit into a body is left out. */
void frame_begin(uint8_t sequence, char type);
void frame_char(char c);
void frame_text(const char *text);
void frame_text_P(PGM_P text);
void frame_hex(uint8_t value);
void frame_number(uint32_t value);
void frame_end(void);

#endif
