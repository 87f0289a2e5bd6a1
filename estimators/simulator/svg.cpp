// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/svg.hpp"

#include "core/format.hpp"
#include "core/units.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace echelon {
namespace {

using Activity = Interval::Activity;

constexpr double lane = 30, bar = 8, left = 64, right = 16, top = 56, bottom = 34;
constexpr const char* font = "font-family=\"sans-serif\" font-size=\"11\"";

struct Style {
    const char* name;
    const char* colour;
    double offset;  // of the bar in its lane
};

/// Colours that colour-blind readers tell apart (Okabe and Ito).
Style style(Activity activity) {
    switch (activity) {
        case Activity::send:
            return {"send", "#0072b2", 1};
        case Activity::receive:
            return {"receive", "#56b4e9", 1 + bar + 1};
        case Activity::reduce:
            return {"reduce", "#d55e00", 1 + 2 * (bar + 1)};
        case Activity::copy:
            return {"copy", "#cc79a7", 1 + 2 * (bar + 1)};
        case Activity::overhead:
            return {"overhead", "#999999", 1 + 2 * (bar + 1)};
    }
    return {"", "", 0};
}

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '<')
            safe += "&lt;";
        else if (c == '&')
            safe += "&amp;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += c;
    }
    return safe;
}

/// 1, 2 or 5 times a power of ten: about eight of them make the whole.
Seconds tick_length(Seconds whole) {
    const double power = std::pow(10, std::floor(std::log10(whole / 8)));
    for (const double step : {1.0, 2.0, 5.0})
        if (whole / (step * power) <= 10) return step * power;
    return 10 * power;
}

class Picture {
public:
    Picture(const Timeline& timeline, int p, const Drawing& drawing)
        : timeline_(timeline), p_(p), drawing_(drawing) {
        for (const Interval& interval : timeline.intervals) end_ = std::max(end_, interval.end);
        if (end_ <= 0) end_ = 1e-9;
    }

    std::string text() {
        const double height = top + p_ * lane + bottom;
        svg_ = format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n",
            drawing_.width, height, drawing_.width, height);
        svg_ +=
            "<defs><marker id=\"tip\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"5\" "
            "markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#555555\"/></marker></defs>\n";
        svg_ += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
        if (!drawing_.title.empty())
            svg_ += format("<text x=\"%.0f\" y=\"20\" %s font-weight=\"bold\">%s</text>\n", left, font,
                           escaped(drawing_.title).c_str());
        legend();
        axis();
        for (int rank = 0; rank < p_; ++rank)
            svg_ += format("<text x=\"%.0f\" y=\"%.1f\" %s text-anchor=\"end\">rank %d</text>\n", left - 8,
                           lane_of(rank) + 18, font, rank);
        for (const Interval& interval : timeline_.intervals) draw(interval);
        arrows();
        return svg_ + "</svg>\n";
    }

private:
    double x(Seconds time) const { return left + time / end_ * (drawing_.width - left - right); }
    static double lane_of(int rank) { return top + rank * lane; }
    static double middle_of(const Interval& interval) {
        return lane_of(interval.rank) + style(interval.activity).offset + bar / 2;
    }

    void legend() {
        double at = left;
        for (const Activity activity :
             {Activity::send, Activity::receive, Activity::reduce, Activity::copy, Activity::overhead}) {
            const bool drawn = std::any_of(timeline_.intervals.begin(), timeline_.intervals.end(),
                                           [&](const Interval& i) { return i.activity == activity; });
            if (!drawn) continue;
            const Style look = style(activity);
            svg_ += format(
                "<rect x=\"%.0f\" y=\"32\" width=\"12\" height=\"%.0f\" fill=\"%s\"/>"
                "<text x=\"%.0f\" y=\"40\" %s>%s</text>\n",
                at, bar, look.colour, at + 16, font, look.name);
            at += 84;
        }
    }

    void axis() {
        const double foot = lane_of(p_);
        for (int rank = 0; rank <= p_; ++rank)
            svg_ += format("<line x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
                           left, drawing_.width - right, lane_of(rank), lane_of(rank));
        const Seconds step = tick_length(end_);
        for (int i = 0; i * step <= end_ * (1 + 1e-9); ++i)
            svg_ += format(
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.1f\" stroke=\"#eeeeee\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" %s text-anchor=\"middle\">%s</text>\n",
                x(i * step), x(i * step), top, foot, x(i * step), foot + 16, font,
                readable(i * step).c_str());
    }

    void draw(const Interval& interval) {
        const Style look = style(interval.activity);
        const bool message = interval.activity == Activity::send || interval.activity == Activity::receive;
        const std::string other = !message ? ""
                                  : interval.activity == Activity::send
                                      ? format(" to rank %d", interval.peer)
                                      : format(" from rank %d", interval.peer);
        svg_ += format(
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" fill=\"%s\" "
            "stroke=\"white\" stroke-width=\"0.5\"><title>%s %llu bytes%s, %s to %s</title></rect>\n",
            look.name, x(interval.begin), lane_of(interval.rank) + look.offset,
            std::max(x(interval.end) - x(interval.begin), 0.5), bar, look.colour, look.name,
            static_cast<unsigned long long>(interval.bytes), other.c_str(), readable(interval.begin).c_str(),
            readable(interval.end).c_str());
    }

    void arrows() {
        std::map<std::uint32_t, const Interval*> sends;
        for (const Interval& interval : timeline_.intervals)
            if (interval.activity == Activity::send) sends[interval.message] = &interval;
        for (const Interval& interval : timeline_.intervals) {
            if (interval.activity != Activity::receive) continue;
            const auto send = sends.find(interval.message);
            if (send == sends.end()) continue;
            svg_ += format(
                "<line class=\"message\" x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" stroke=\"#555555\" "
                "stroke-width=\"0.7\" marker-end=\"url(#tip)\"/>\n",
                x(send->second->begin), middle_of(*send->second), x(interval.end), middle_of(interval));
        }
    }

    const Timeline& timeline_;
    int p_;
    const Drawing& drawing_;
    Seconds end_ = 0;
    std::string svg_;
};

}  // namespace

std::string to_svg(const Timeline& timeline, int p, const Drawing& drawing) {
    return Picture(timeline, p, drawing).text();
}

}  // namespace echelon
