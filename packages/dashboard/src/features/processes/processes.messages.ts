import { defineMessages } from '../../i18n/messages.ts'
import english from './processes.en.json'

export const processMessages = defineMessages(english, { de: () => import('./processes.de.json') })
