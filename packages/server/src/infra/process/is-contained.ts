/** From /proc/<pid>/status. A container process can imitate the name and arguments of any of our servers. */
export const isContained = (status: string): boolean => /^NSpid:\t\d+\t/m.test(status)
