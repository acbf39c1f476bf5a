import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** Large, so loaded on first use. It requires reflect-metadata but does not load it itself. */
export function loadX509(): typeof import('@peculiar/x509') {
  load('reflect-metadata')
  return load('@peculiar/x509') as typeof import('@peculiar/x509')
}
