import { defineMessages } from '../../i18n/messages.ts'

export const wordpressProblemMessages = defineMessages({}, { de: () => import('./wordpress-problem.de.json') })
