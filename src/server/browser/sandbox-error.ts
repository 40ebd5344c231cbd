const ALLOW_NAMESPACES =
  'Allow user namespaces (in a container with --security-opt seccomp=seccomp.json, on the host with sysctl user.max_user_namespaces ' +
  'and kernel.apparmor_restrict_unprivileged_userns)'

/** Chromium cannot run with its sandbox, and may not run without it. The message contains the remedy. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** @param remedy  Default: how to allow user namespaces. */
  constructor(reason: string, { remedy = ALLOW_NAMESPACES, cause }: { remedy?: string; cause?: unknown } = {}) {
    super(
      `Chromium cannot run with its sandbox: ${reason}. Without it, a page that exploits a bug of Chromium runs programs on this machine. ` +
        `${remedy}, or accept the risk with --allow-unsandboxed.`,
      { cause },
    )
  }
}
