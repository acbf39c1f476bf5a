import { defineMessages } from '../../i18n/messages.ts'
import english from './mail-auth.en.json'

export const mailAuthMessages = defineMessages(english, { de: () => import('./mail-auth.de.json') })
