/**
 * The labels that every object of ours carries on the container engine. With them the panel finds its own and never touches
 * another's, also when several panels share one engine (`panel.instance`).
 */
export const label = {
  instance: 'panel.instance',
  project: 'panel.project',
  /** The project's name, for who looks at the engine: names of containers are ids, since a network tells them to whoever is on it. */
  projectName: 'panel.project-name',
  deployment: 'panel.deployment',
  /** The uid of the account that a container is of. One of an earlier version has none. */
  account: 'panel.account',
  /**
   * `build` marks images that took part in a build, the result and its intermediate stages, and the networks of builds;
   * `account` the networks of accounts;
   * `database-admin` the container of the web database administration, and its image.
   */
  role: 'panel.role',
  /** The worker that a build network belongs to: it goes when the worker is gone. */
  worker: 'panel.worker'
} as const
