import { defineMessages } from '../i18n/messages.ts'
import english from './shell.en.json'

export const shellMessages = defineMessages(english, { de: () => import('./shell.de.json') })
