import { defineMessages } from '../../i18n/messages.ts'

export const certificateProblemMessages = defineMessages({}, { de: () => import('./certificate-problem.de.json') })
