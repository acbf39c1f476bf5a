import { defineMessages } from '../../i18n/messages.ts'
import english from './bans.en.json'

export const banMessages = defineMessages(english, { de: () => import('./bans.de.json') })
