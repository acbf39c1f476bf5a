/** Labels on all our engine objects. Several panels can share an engine: each only touches its own instance. */
export const label = {
  instance: 'panel.instance',
  project: 'panel.project',
  /** For people who inspect the engine: container names are ids, because other containers on a network can see them. */
  projectName: 'panel.project-name',
  /** The deployment, or the run. */
  deployment: 'panel.deployment',
  /** On containers that run one command. */
  run: 'panel.run',
  /** uid of the account. Missing on containers of earlier versions. */
  account: 'panel.account',
  /** `build`: images and networks of builds; `account`: account networks; `database-admin`: its container and image. */
  role: 'panel.role',
  worker: 'panel.worker'
} as const
