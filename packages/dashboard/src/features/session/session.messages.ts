import { defineMessages } from '../../i18n/messages.ts'
import english from './session.en.json'

export const sessionMessages = defineMessages(english, { de: () => import('./session.de.json') })
