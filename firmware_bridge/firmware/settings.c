#include "settings.h"

#include <avr/eeprom.h>
#include <string.h>

#include "frame.h"

settings board_settings;

static settings EEMEM stored;
static uint16_t EEMEM stored_sum;

static uint16_t sum_of(const settings *value) {
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < sizeof *value; i++) crc = crc16(crc, ((const uint8_t *)value)[i]);
    return crc;
}

uint8_t settings_load(void) {
    eeprom_read_block(&board_settings, &stored, sizeof stored);
    if (sum_of(&board_settings) == eeprom_read_word(&stored_sum) && board_settings.brightness <= N_BRIGHTNESS &&
        !board_settings.id[N_BOARD_ID])
        return 1;
    memset(&board_settings, 0, sizeof board_settings);
    board_settings.brightness = N_BRIGHTNESS;
    return 0;
}

void settings_save(void) { /* only bytes that differ are written: an EEPROM cell lasts 100,000 times */
    eeprom_update_block(&board_settings, &stored, sizeof stored);
    eeprom_update_word(&stored_sum, sum_of(&board_settings));
}
