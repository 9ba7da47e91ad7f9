/* What the board remembers in EEPROM: its id and the brightness, with a sum over both. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>

#include "protocol.h"

typedef struct {
    char id[N_BOARD_ID + 1];
    uint8_t brightness;
} settings;

extern settings board_settings;

/* 0 where the EEPROM held nothing of ours, and the defaults are in force. */
uint8_t settings_load(void);
void settings_save(void);

#endif
