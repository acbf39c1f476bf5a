import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * Loads the X.509 library on first use because it is large. It requires reflect-metadata but does not load it itself.
 */
export function loadX509(): typeof import('@peculiar/x509') {
  load('reflect-metadata')
  return load('@peculiar/x509') as typeof import('@peculiar/x509')
}
