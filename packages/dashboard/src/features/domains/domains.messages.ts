import { defineMessages } from '../../i18n/messages.ts'
import english from './domains.en.json'

export const domainMessages = defineMessages(english, { de: () => import('./domains.de.json') })
