import { defineMessages } from '../i18n/messages.ts'
import english from './quota-note.en.json'

export const quotaMessages = defineMessages(english, { de: () => import('./quota-note.de.json') })
