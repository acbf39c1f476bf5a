/**
 * The labels that every object of ours carries on the container engine. With them the panel finds its own and never touches
 * another's, also when several panels share one engine (`panel.instance`).
 */
export const label = {
  instance: 'panel.instance',
  project: 'panel.project',
  deployment: 'panel.deployment',
  /** Marks images that took part in a build: the result and its intermediate stages. */
  role: 'panel.role'
} as const
