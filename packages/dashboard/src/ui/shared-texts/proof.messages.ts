import { defineMessages } from '../../i18n/messages.ts'

export const proofMessages = defineMessages({}, { de: () => import('./proof.de.json') })
