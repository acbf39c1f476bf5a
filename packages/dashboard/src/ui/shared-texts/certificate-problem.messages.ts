import { defineMessages } from '../../i18n/messages.ts'

/** Why there is no certificate, for every page that tells it: in English the server says it. */
export const certificateProblemMessages = defineMessages({}, { de: () => import('./certificate-problem.de.json') })
