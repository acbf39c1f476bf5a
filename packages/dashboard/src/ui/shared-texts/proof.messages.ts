import { defineMessages } from '../../i18n/messages.ts'

/** What is found of a domain's proof, for every page that tells it: in English the server says it. */
export const proofMessages = defineMessages({}, { de: () => import('./proof.de.json') })
