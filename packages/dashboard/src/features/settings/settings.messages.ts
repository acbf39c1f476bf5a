import { defineMessages } from '../../i18n/messages.ts'
import english from './settings.en.json'

export const settingsMessages = defineMessages(english, { de: () => import('./settings.de.json') })

/** What the server says of settings by codes. */
export const settingWords = { fixed: settingsMessages, counts: settingsMessages, unit: settingsMessages }
