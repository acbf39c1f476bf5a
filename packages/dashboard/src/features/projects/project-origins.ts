/** Where a new project comes from; the first is the one without a word in the address. */
export const projectOrigins = ['git', 'wordpress', 'empty'] as const
export type ProjectOrigin = (typeof projectOrigins)[number]

/** Types that are built from a repository. */
export const builtTypes = ['NODEJS', 'PYTHON', 'STATIC', 'DOCKERFILE'] as const
