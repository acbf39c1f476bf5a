/** Renders the project's variables as a file for POSIX sh, single-quoted so that every byte is kept. */
export const renderBuildEnvironment = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([key, value]) => `export ${key}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('')
