import { defineMessages } from '../../i18n/messages.ts'
import english from './domain-rules.en.json'

export const domainRuleMessages = defineMessages(english, { de: () => import('./domain-rules.de.json') })
