export { TimerService } from './timer-service.js'
