package io.openmessaging.benchmark.worker.transport;

/** The requests of the worker's HTTP server, and the meaning of its status codes. */
public final class Paths {

    /** GET: the state of the worker, as a text for people. */
    public static final String PAGE = "/";

    /** GET: a {@link WorkerInfo}. */
    public static final String INFO = "/info";

    /** GET: a {@link ClockReading}, taken immediately after the request arrives and before the answer leaves. */
    public static final String CLOCK = "/clock";

    /** POST: a {@link Claim}, answered by a {@link Claimed}. */
    public static final String CLAIM = "/claim";

    /** POST: a heartbeat of the coordinator, which renews the lease. Never waits for anything. */
    public static final String ALIVE = "/alive";

    /** POST: the coordinator no longer needs the worker. */
    public static final String RELEASE = "/release";

    /**
     * POST to {@code /runs/<run>/steps/<number>/<request>}: a request of a run, see {@link #step}. DELETE there: gives
     * up the step because nobody waits for it any more.
     */
    public static final String RUNS = "/runs/";

    /** A header of requests: the {@link Claim#session() session} that they belong to. */
    public static final String SESSION = "Session";

    /** A header of all answers: the process that answers; differs after every start. */
    public static final String INCARNATION = "Incarnation";

    /** The body has the answer. */
    public static final int DONE = 200;

    /** The request is in progress; the body reports how far it is. The client must send the same request again. */
    public static final int GOES_ON = 202;

    /** The request is malformed. */
    public static final int UNREADABLE = 400;

    /** The request is not permitted: wrong origin or host name, or no session. */
    public static final int FORBIDDEN = 403;

    /** There is no such path, run or step. */
    public static final int UNKNOWN = 404;

    /** The builds differ, or a newer request has arrived before. */
    public static final int CONFLICT = 409;

    /** The session is over, or never existed. */
    public static final int OVER = 410;

    /** The body is larger than allowed. */
    public static final int TOO_LARGE = 413;

    /** The worker could not execute the request; the body has the reason. */
    public static final int FAILED = 422;

    /** Another coordinator has the worker. */
    public static final int BUSY = 423;

    /** Not yet: the worker is being freed. */
    public static final int SOON = 503;

    private Paths() {}

    /**
     * Returns the path of a step.
     *
     * @param run number of the run in the session, from 1
     * @param number number of the step in the run, from 1
     * @param request name of the request, in lower case
     */
    public static String step(int run, int number, String request) {
        return RUNS + run + "/steps/" + number + "/" + request;
    }
}
