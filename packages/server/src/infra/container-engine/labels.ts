/** Labels on all our engine objects. Several panels can share an engine: each only touches its own instance. */
export const label = {
  instance: 'panel.instance',
  project: 'panel.project',
  /** For people who inspect the engine: container names are ids, because other containers on a network can see them. */
  projectName: 'panel.project-name',
  /** The deployment, the run, or the instance of a worker. */
  deployment: 'panel.deployment',
  /** On containers that run one command. */
  run: 'panel.run',
  /** Name of the process, on containers of workers. */
  process: 'panel.process',
  /** What the container of a worker was made from; another value makes it outdated. */
  revision: 'panel.revision',
  /** Ids of the volumes that it mounts. */
  volumes: 'panel.volumes',
  /** uid of the account. Missing on containers of earlier versions. */
  account: 'panel.account',
  /**
   * `build`: images and networks of builds; `image-files`: containers whose files are read, never started;
   * `account`: account networks; `database-admin`: its container and image. */
  role: 'panel.role',
  worker: 'panel.worker',
  /** Digest of the registry's image that an image was made of. */
  pulled: 'panel.pulled'
} as const
