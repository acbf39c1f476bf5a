import { defineMessages } from '../../i18n/messages.ts'
import english from './settings.en.json'

export const settingsMessages = defineMessages(english, { de: () => import('./settings.de.json') })

/** Translations of the server's codes for settings. */
export const settingWords = { fixed: settingsMessages, counts: settingsMessages, unit: settingsMessages }
