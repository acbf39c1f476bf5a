/** Labels of the panel itself below BASE_DOMAIN; never given out (decisions "Projects, builds, files"). */
const panelLabels = ['panel', 'api', 'www', 'mail', 'webmail', 'ns1', 'ns2', 'autoconfig', 'mta-sts']

/** RFC 1123 §2.1 in lower case, at most 253 characters, labels of 1 to 63, at least one of them. */
export function isHostname(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}

/**
 * The host names a project may take, best first: `{name}.{BASE_DOMAIN}`, and `{name}-{6 characters of its id}.{BASE_DOMAIN}`
 * where the first is held by another project or by the panel.
 */
export function projectHostnames(
  project: { id: string; name: string },
  baseDomain: string,
  panelDomain: string | undefined
): string[] {
  const suffix = project.id.replace(/[^a-z0-9]/g, '').slice(-6)
  // A label holds 63 octets; cutting must not leave a hyphen before ours doubled at the edge.
  const suffixed = `${project.name.slice(0, 63 - suffix.length - 1).replace(/-+$/, '')}-${suffix}.${baseDomain}`
  const plain = `${project.name}.${baseDomain}`
  return panelLabels.includes(project.name) || plain === panelDomain ? [suffixed] : [plain, suffixed]
}
