import { defineMessages } from '../../i18n/messages.ts'

/** Why a WordPress was not imported, for every page that tells it: in English the server says it. */
export const wordpressProblemMessages = defineMessages({}, { de: () => import('./wordpress-problem.de.json') })
