import { defineMessages } from '../../i18n/messages.ts'
import english from './system.en.json'

export const systemMessages = defineMessages(english, { de: () => import('./system.de.json') })
