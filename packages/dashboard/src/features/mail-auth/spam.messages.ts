import { defineMessages } from '../../i18n/messages.ts'
import english from './spam.en.json'

export const spamMessages = defineMessages(english, { de: () => import('./spam.de.json') })
