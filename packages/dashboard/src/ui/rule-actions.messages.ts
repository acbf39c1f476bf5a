import { defineMessages } from '../i18n/messages.ts'
import english from './rule-actions.en.json'

export const ruleActionMessages = defineMessages(english, { de: () => import('./rule-actions.de.json') })
