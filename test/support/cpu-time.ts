/**
 * Milliseconds of processor time that this process has had: what an algorithm costs, however busy the machine is with
 * other work.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
