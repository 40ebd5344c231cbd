/** Whether an option names a browser that runs already, `http://HOST:PORT` or `ws://…`, and not a file to launch. */
export const isRemoteBrowser = (browser: string): boolean => /^(https?|wss?):\/\//i.test(browser)
