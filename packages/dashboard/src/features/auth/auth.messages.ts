import { defineMessages } from '../../i18n/messages.ts'
import english from './auth.en.json'

export const authMessages = defineMessages(english, { de: () => import('./auth.de.json') })
