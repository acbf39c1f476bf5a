const hubNames = ['index.docker.io', 'registry-1.docker.io', 'hub.docker.com']

/** The name that image references have for it. */
export function registryHostOf(text: string): string {
  const host = text.toLowerCase()
  return hubNames.includes(host) ? 'docker.io' : host
}
