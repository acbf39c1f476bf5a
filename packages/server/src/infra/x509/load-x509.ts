import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** The X.509 library, loaded on first use because it is large. It needs the polyfill to be there and does not load it itself. */
export function loadX509(): typeof import('@peculiar/x509') {
  load('reflect-metadata')
  return load('@peculiar/x509') as typeof import('@peculiar/x509')
}
