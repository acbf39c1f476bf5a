import { defineMessages } from '../../i18n/messages.ts'
import english from './project-settings.en.json'

/** Separate from the other texts of projects to keep their pages small. */
export const projectSettingsMessages = defineMessages(english, { de: () => import('./project-settings.de.json') })
