import { defineMessages } from '../../i18n/messages.ts'
import english from './settings.en.json'

export const settingsMessages = defineMessages(english, { de: () => import('./settings.de.json') })
