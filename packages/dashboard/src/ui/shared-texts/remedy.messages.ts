import { defineMessages } from '../../i18n/messages.ts'

/** What to do about a part of the server that does not answer, for every page that tells it: in English the server says it. */
export const remedyMessages = defineMessages({}, { de: () => import('./remedy.de.json') })
