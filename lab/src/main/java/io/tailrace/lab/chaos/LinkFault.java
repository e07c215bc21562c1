package io.tailrace.lab.chaos;

/** A link that is cut, silent, half open or slow. */
final class LinkFault implements Fault {
    private final Installation installation;
    private final Installation.Route route;
    private final Link.State state;

    LinkFault(Installation installation, Installation.Route route, Link.State state) {
        this.installation = installation;
        this.route = route;
        this.state = state;
    }

    @Override
    public String target() {
        return route.word();
    }

    @Override
    public Struck struck() {
        return route == Installation.Route.JOB_KAFKA ? Struck.JOB : Struck.EVERYBODY;
    }

    @Override
    public void begin() {
        installation.link(route).become(state);
    }

    @Override
    public void heal() {
        installation.link(route).become(Link.State.OPEN);
    }
}
