import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the running version: of the release, or the checkout. */
export const panelRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..')
