/**
 * The commands that set up hosts, built into a separate file: `cli-install.js`.
 *
 * @module
 */

export { doctorCommand } from './doctor.js'
export { installCommand, uninstallCommand } from './install.js'
